/**
 * A key whose texts differ between two files or declarations. `before`, `after`: the two texts; null if the key is missing. Contains no
 * secret.
 */
export type KeyDifference = {
  /** The path of the differing key, such as `vendor.poll.every`. */
  readonly at: string;
  readonly before: string | null;
  readonly after: string | null;
};

/**
 * The keys whose texts differ between two files, or that only one of the files has. First come the keys of `before`, in their order. Pure.
 */
export function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly KeyDifference[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((at) => {
    const said = { before: before.get(at) ?? null, after: after.get(at) ?? null };
    return said.before === said.after ? [] : [{ at, ...said }];
  });
}
