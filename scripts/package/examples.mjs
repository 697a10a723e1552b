/**
 * @param {string} readme
 * @returns {readonly string[]} the code blocks of a README, in the order in which it shows them
 */
function blocks(readme) {
  return [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

/**
 * The first code block of a README, a whole program.
 * @param {string} readme
 * @returns {string}
 */
export function firstExample(readme) {
  const [code] = blocks(readme);
  if (code === undefined) throw new Error('The README shows no program');
  return code;
}

/**
 * All code blocks of a README, which build on each other, as one program.
 * @param {string} readme
 * @returns {string}
 */
export function allExamples(readme) {
  return blocks(readme).join('\n');
}
