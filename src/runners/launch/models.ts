// Short names for models. A name that is not in the runner's table is passed on as it is.

export type ModelTable = Readonly<Record<string, string>>

export const resolveModel = (models: ModelTable, typed: string): string =>
  Object.hasOwn(models, typed) ? (models[typed] ?? typed) : typed
