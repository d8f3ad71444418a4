// Values that are made at their first use and kept as long as the object they belong to.

/** Returns the value that `make` made for an object the first time. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const madeValues = new WeakMap<Key, { value: Value }>();
  return (key) => {
    let entry = madeValues.get(key);
    if (entry === undefined) {
      entry = { value: make(key) };
      madeValues.set(key, entry);
    }
    return entry.value;
  };
}
