// The name and mail address in commits of our own.

export const AGENCY_IDENTITY = { name: 'Agency', email: 'agency@localhost' } as const
