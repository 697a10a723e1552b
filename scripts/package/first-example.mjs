/**
 * The first code block of a README, a whole program.
 * @param {string} readme
 * @returns {string}
 */
export function firstExample(readme) {
  const code = /^```ts\n(.*?)^```$/ms.exec(readme)?.[1];
  if (code === undefined) throw new Error('The README shows no program');
  return code;
}
