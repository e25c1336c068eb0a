/** Keys in reading order; a nested object, or a list of objects, has its own order. */
export type ObjectKeyOrder = readonly (string | readonly [name: string, inside: ObjectKeyOrder])[]

/**
 * The value with its keys in this order. A jsonb column returns keys in the database's order. Unknown keys
 * come last, in their given order.
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
