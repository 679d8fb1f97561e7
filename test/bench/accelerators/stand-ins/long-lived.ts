// The dashboard starts all processes itself.

export function growOld(): void {}
