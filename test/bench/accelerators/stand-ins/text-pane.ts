// Every key is read as a key.

export const textPane = (): null => null
