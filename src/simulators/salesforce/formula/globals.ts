import { type FormulaContext, FormulaError, type FormulaValue, type Reference } from './types.ts';

type Global = (context: FormulaContext) => FormulaValue;

const userField =
  (name: string): Global =>
  ({ user }) => {
    const value = user?.[name] ?? null;
    return name === 'Id' && value !== null ? String(value).slice(0, 15) : value;
  };

/** Global variables that are known (Help: "Global Variables"); all of them are texts. */
const GLOBALS: Readonly<Record<string, Global>> = Object.fromEntries([
  ...['Id', 'Username', 'Email', 'FirstName', 'LastName', 'Alias', 'Title', 'LanguageLocaleKey'].map(
    (name) => [`$user.${name.toLowerCase()}`, userField(name)] as const,
  ),
]);

/** A global variable. Throws FormulaError for those that are not known here, and where nobody runs the formula. */
export function globalReference(hasUser: boolean, name: string, at: number): Reference {
  const run = GLOBALS[name.toLowerCase()];
  if (run === undefined || !hasUser) throw new FormulaError(`${name} is not known here`, at);
  return { type: 'text', run, prior: run };
}
