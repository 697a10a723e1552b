import { z } from 'zod';
import { isSecretReference, resolveSecret, type Secret, SecretError, sealedSecret } from './secret.ts';
import { outOfScope, type SecretScope } from './secret-scope.ts';

/** Where the values of one tenant's secrets are found. */
export type SecretContext = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The tenant file's folder; null for a tenant of the registry (the ledger's table of tenants). */
  readonly baseDir: string | null;
  readonly tenant: string;
  readonly scope: SecretScope;
  /**
   * Secret values of a tenant that is declared in the registry (the ledger's table of tenants), not in a file. The declaration refers to
   * each value as `sealed:PLACE`; the key here is PLACE. Absent for a tenant file, because such a file cannot refer to `sealed:`.
   */
  readonly sealed?: Readonly<Record<string, string>> | undefined;
};

/** Schema of a text that is not empty. `error` is the end of a sentence that begins with the key. */
export const text = (error: string) => z.string({ error }).min(1, { error });

/**
 * Schema of a secret, which a file refers to as `env:NAME` or `file:PATH`. `accepts` checks the secret's value; `shape` says in words what
 * a valid value is.
 */
export function secret(from: SecretContext, accepts: (value: string) => boolean, shape: string) {
  return text('must be env:NAME or file:PATH').transform((reference, context) => {
    const message = referenceProblem(reference, from, accepts, shape);
    if (message === null) return secretBehind(reference, from);
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

/** Schema of a text that is no secret. A file contains the text itself, or refers to it as `env:NAME` or `file:PATH`. */
export function plainOrReference(from: SecretContext, error: string) {
  return text(error).transform((value, context) => {
    if (!isReference(value, from)) return value;
    const message = referenceProblem(value, from, headerSafe, 'a text on one line without spaces');
    if (message === null) return secretBehind(value, from).reveal();
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

function referenceProblem(
  reference: string,
  from: SecretContext,
  accepts: (value: string) => boolean,
  shape: string,
): string | null {
  if (!isReference(reference, from)) return 'must be env:NAME or file:PATH, never the secret itself';
  const refusal = isSealed(reference, from) ? null : outOfScope(reference, from);
  if (refusal !== null) return refusal;
  try {
    return accepts(secretBehind(reference, from).reveal()) ? null : `points to a value that is not ${shape}`;
  } catch (error) {
    if (error instanceof SecretError) return `has no value: ${error.message}`;
    throw error;
  }
}

function isReference(text: string, from: SecretContext): boolean {
  return isSecretReference(text) || isSealed(text, from);
}

function isSealed(text: string, { sealed }: SecretContext): boolean {
  return sealed !== undefined && text.startsWith(SEALED);
}

const SEALED = 'sealed:';

function secretBehind(reference: string, from: SecretContext): Secret {
  if (!isSealed(reference, from)) {
    // The context is only valid while its tenant file is read. The secret needs its parts later, so they are copied here.
    const { env, tenant, baseDir, scope } = from;
    const refusal = () => outOfScope(reference, { tenant, baseDir, scope });
    return resolveSecret(reference, { env, baseDir: baseDir ?? '/', refusal });
  }
  const place = reference.slice(SEALED.length);
  const { sealed = {} } = from;
  const value = Object.hasOwn(sealed, place) ? sealed[place] : undefined;
  if (value === undefined) throw new SecretError('nothing is sealed for it: apply its file again with --seal');
  return sealedSecret(place, value);
}

/** Whether a text is a valid value of an HTTP header, without spaces. */
export const headerSafe = (value: string): boolean => /^[\x21-\x7e]+$/.test(value);
