import { readFileSync } from 'node:fs';
import type { InitialKey } from 'lockstep-simulators';
import { z } from 'zod';
import type { Problem } from '../../src/platform/problems.ts';
import { checkAgainst } from '../../src/platform/schema-problems.ts';
import { isSecretReference, resolveSecret } from '../../src/platform/secret.ts';
import { parseYamlFile } from '../../src/platform/yaml-file.ts';

const text = z.string({ error: 'must be a text' }).min(1, 'must not be empty');
const scope = z.enum(['sales', 'order'], { error: 'must be sales or order' });

const key = z.strictObject(
  { apiKey: text, partnerId: text, scopes: z.array(scope, { error: 'must be a list' }).min(1).optional() },
  { error: 'must hold apiKey, partnerId and, if you like, scopes' },
);

const list = z.array(key, { error: 'must be a list of keys' });
const named = z.strictObject({ keys: list }).transform(({ keys }) => keys);

/**
 * Reads a file of API keys, YAML or JSON: a list of `apiKey`, `partnerId` and optional `scopes` (`sales`, `order`; both by default), also
 * under the name `keys`. A key may be `env:NAME` or `file:PATH`. Throws an error that names every problem with its line, without values.
 */
export function readKeysFile(
  file: string,
  from: { readonly env: Readonly<Record<string, string | undefined>>; readonly baseDir: string },
): readonly InitialKey[] {
  const parsed = parseYamlFile(file, readFileSync(file, 'utf8'));
  if ('problems' in parsed) throw unusable(parsed.problems);
  const checked = checkAgainst(parsed.yaml.has(['keys']) ? named : list, parsed.yaml);
  if ('problems' in checked) throw unusable(checked.problems);
  return checked.value.map(({ apiKey, partnerId, scopes }) => ({
    apiKey: isSecretReference(apiKey) ? resolveSecret(apiKey, { ...from, open: true }).reveal() : apiKey,
    partnerId,
    ...(scopes !== undefined && { scopes }),
  }));
}

function unusable(problems: readonly Problem[]): Error {
  const lines = problems.map(({ file, line, message }) => `  ${file}:${line}: ${message}`);
  return new Error(`The file of keys cannot be used; nothing was started.\n${lines.join('\n')}`);
}
