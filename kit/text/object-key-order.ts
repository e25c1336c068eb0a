/** Names in the order in which they are to be read; that of an object, or of the objects in a list, with the order inside. */
export type ObjectKeyOrder = readonly (string | readonly [name: string, inside: ObjectKeyOrder])[]

/**
 * The value with its names in this order, for a reader: what comes from a jsonb column is in the database's own. Names
 * that the order does not know follow as they came.
 */
export function sortObjectKeys<Value>(value: Value, order: ObjectKeyOrder): Value {
  if (Array.isArray(value)) return value.map((item) => sortObjectKeys(item, order)) as Value
  if (typeof value !== 'object' || value === null) return value
  const given = new Map<string, unknown>(Object.entries(value))
  const known = order.map((each) => (typeof each === 'string' ? ([each, []] as const) : each))
  const first = known
    .filter(([name]) => given.has(name))
    .map(([name, inside]) => [name, sortObjectKeys(given.get(name), inside)] as const)
  for (const [name] of first) given.delete(name)
  return Object.fromEntries([...first, ...given]) as Value
}
