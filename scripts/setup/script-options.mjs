/**
 * Parses the options of the project's scripts. `npm run NAME -- --help` shows them, and unknown options are refused before anything is
 * installed or started. For that reason it is plain JavaScript without dependencies.
 */
import { parseArgs } from 'node:util';
import { SCRIPTS } from './scripts.mjs';

/**
 * One option: a whole number from `least` on, any number above 0, a text, one or several of some names, or a switch. The number or
 * the text goes where it is absent.
 * @typedef {{ readonly whole: number, readonly least?: number, readonly says: string }} Whole
 * @typedef {{ readonly number: number, readonly says: string }} Decimal
 * @typedef {{ readonly text: string, readonly says: string }} Text
 * @typedef {{ readonly oneOf: readonly string[], readonly says: string }} OneOf
 * @typedef {{ readonly anyOf: readonly string[], readonly says: string }} AnyOf
 * @typedef {{ readonly flag: true, readonly says: string }} Flag
 * @typedef {Whole | Decimal | Text | OneOf | AnyOf | Flag} ScriptOption
 */

/**
 * What a script does, an example of it as it follows `npm run`, and its options. Other arguments go to the program that `passesOn`
 * names; else there are none.
 * @typedef {object} Script
 * @property {string} about
 * @property {string} example
 * @property {Readonly<Record<string, ScriptOption>>} options
 * @property {string} [passesOn]
 */

/**
 * @template Option
 * @typedef {Option extends { whole: number } | { number: number } ? number : Option extends { text: string } ? string
 *   : Option extends { oneOf: readonly (infer Name)[] } ? Name | null
 *   : Option extends { anyOf: readonly (infer Name)[] } ? readonly Name[] : boolean} ValueOf
 */

/** @typedef {keyof typeof SCRIPTS} ScriptName */

/**
 * @template {ScriptName} Name
 * @typedef {{ readonly [Option in keyof (typeof SCRIPTS)[Name]['options']]: ValueOf<(typeof SCRIPTS)[Name]['options'][Option]> }} Values
 */

/** @typedef {{ readonly help: string } | { readonly problem: string } | { readonly values: Record<string, unknown> }} Parsed */

/** Exit code of wrong usage, as the command line has it. */
const USAGE = 64;

/**
 * The options with which this process was started. Ends the process if help was asked for or an option is unknown.
 * @template {ScriptName} Name
 * @param {Name} name
 * @returns {Values<Name>}
 */
export function scriptOptions(name) {
  const result = readOptions(name, process.argv.slice(2));
  answer(result);
  return /** @type {Values<Name>} */ ('values' in result ? result.values : {});
}

/**
 * Prints help or a problem and ends the process; returns if there are only valid options.
 * @param {Parsed} result
 */
export function answer(result) {
  if ('help' in result) {
    process.stdout.write(result.help);
    process.exit(0);
  }
  if ('problem' in result) {
    process.stderr.write(`${result.problem}\n`);
    process.exit(USAGE);
  }
}

/**
 * Parses a script's arguments.
 * @param {ScriptName} name
 * @param {readonly string[]} args
 * @returns {Parsed}
 */
export function readOptions(name, args) {
  /** @type {Script} */
  const script = SCRIPTS[name];
  if (args.includes('--help') || args.includes('-h')) return { help: helpOf(script) };
  if (script.passesOn !== undefined) return { values: {} };
  const { given, unknown } = givenOptions(script, args);
  if (unknown !== null) return { problem: `${unknown} is nothing that npm run ${name} takes: ${takes(script)}.` };
  /** @type {Record<string, unknown>} */
  const values = {};
  for (const [option, of] of Object.entries(script.options)) {
    const read = readValue(of, given.get(option));
    if (typeof read === 'object' && read !== null && 'wants' in read)
      return { problem: `--${option} takes ${read.wants}, not "${given.get(option)?.at(-1) ?? ''}".` };
    values[option] = read;
  }
  return { values };
}

/**
 * What is given of each option, and the first argument that is none.
 * @param {Script} script
 * @param {readonly string[]} args
 * @returns {{ readonly given: ReadonlyMap<string, readonly string[]>, readonly unknown: string | null }}
 */
function givenOptions(script, args) {
  const options = Object.fromEntries(
    Object.entries(script.options).map(([option, of]) => [
      option,
      { type: 'flag' in of ? /** @type {const} */ ('boolean') : /** @type {const} */ ('string') },
    ]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  /** @type {Map<string, readonly string[]>} */
  const given = new Map();
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') return { given, unknown: `"${token.value}"` };
    if (!Object.hasOwn(script.options, token.name)) return { given, unknown: token.rawName };
    given.set(token.name, [...(given.get(token.name) ?? []), token.value ?? '']);
  }
  return { given, unknown: null };
}

/**
 * @param {Script} script
 * @returns {string}
 */
function takes({ options, example }) {
  const names = Object.keys(options).map((option) => `--${option}`);
  if (names.length === 0) return 'it has no options';
  return `it has ${names.join(', ')} (npm run ${example.split(' ')[0]} -- --help)`;
}

/**
 * @param {ScriptOption} option
 * @param {readonly string[] | undefined} given
 * @returns {unknown} the value, or what it wants where it is none
 */
function readValue(option, given) {
  const last = given?.at(-1);
  if ('flag' in option) return last !== undefined;
  if ('anyOf' in option) {
    const unknown = given?.some((name) => !option.anyOf.includes(name));
    return unknown ? { wants: listed(option.anyOf) } : (given ?? []);
  }
  if ('oneOf' in option) {
    if (last === undefined) return null;
    return option.oneOf.includes(last) ? last : { wants: listed(option.oneOf) };
  }
  if ('text' in option) return last === '' ? { wants: 'a text' } : (last ?? option.text);
  if ('whole' in option) {
    const { whole, least = 0 } = option;
    if (last === undefined) return whole;
    return /^\d{1,12}$/.test(last) && Number(last) >= least
      ? Number(last)
      : { wants: `a whole number from ${least} on` };
  }
  if (last === undefined) return option.number;
  return /^\d{1,9}(\.\d{1,6})?$/.test(last) && Number(last) > 0 ? Number(last) : { wants: 'a number above 0' };
}

/**
 * @param {readonly string[]} names
 * @returns {string}
 */
function listed(names) {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/**
 * @param {Script} script
 * @returns {string}
 */
function helpOf({ about, example, options, passesOn }) {
  const rows = Object.entries(options).map(([option, of]) => {
    return /** @type {const} */ ([`--${option}${placeholder(of)}`, `${of.says}${missing(of)}`]);
  });
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return [
    about,
    '',
    `  npm run ${example}`,
    ...(rows.length === 0 ? [] : ['', ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)]),
    ...(passesOn === undefined ? [] : ['', `Further arguments go to "${passesOn}".`]),
    '',
  ].join('\n');
}

/**
 * @param {ScriptOption} option
 * @returns {string}
 */
function placeholder(option) {
  if ('flag' in option) return '';
  if ('oneOf' in option) return ` ${option.oneOf.join('|')}`;
  if ('anyOf' in option) return ' NAME';
  return 'text' in option ? ' TEXT' : ' N';
}

/**
 * @param {ScriptOption} option
 * @returns {string}
 */
function missing(option) {
  if ('anyOf' in option) return `: ${option.anyOf.join(', ')}`;
  if ('whole' in option && option.whole > 0) return `; ${option.whole} when absent`;
  return 'number' in option ? `; ${option.number} when absent` : '';
}
