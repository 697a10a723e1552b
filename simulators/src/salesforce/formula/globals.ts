import { type FormulaContext, FormulaError, type FormulaValue, type Reference } from './types.ts';

type Global = (context: FormulaContext) => FormulaValue;

const userField =
  (name: string): Global =>
  ({ user }) => {
    const value = user?.[name] ?? null;
    return name === 'Id' && value !== null ? String(value).slice(0, 15) : value;
  };

/** The supported global variables (Help: "Global Variables"). */
const GLOBALS: Readonly<Record<string, Global>> = Object.fromEntries([
  ...['Id', 'Username', 'Email', 'FirstName', 'LastName', 'Alias', 'Title', 'LanguageLocaleKey'].map(
    (name) => [`$user.${name.toLowerCase()}`, userField(name)] as const,
  ),
]);

const PERMISSION = '$permission.';

/**
 * A global variable; `$Permission.Name` is true if the running user has the custom permission. Throws FormulaError for an unknown variable,
 * and for a variable that needs a running user if there is none.
 */
export function globalReference(
  { hasUser, permissions }: { readonly hasUser: boolean; readonly permissions: ReadonlySet<string> },
  name: string,
  at: number,
): Reference {
  const custom = name.slice(PERMISSION.length);
  if (hasUser && name.toLowerCase().startsWith(PERMISSION) && permissions.has(custom)) {
    const has: Global = ({ hasPermission }) => hasPermission(custom);
    return { type: 'boolean', run: has, prior: has };
  }
  const run = GLOBALS[name.toLowerCase()];
  if (run === undefined || !hasUser) throw new FormulaError(`${name} is not known here`, at);
  return { type: 'text', run, prior: run };
}
