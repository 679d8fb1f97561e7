// Whom our own commits name.

export const AGENCY_IDENTITY = { name: 'Agency', email: 'agency@localhost' } as const
