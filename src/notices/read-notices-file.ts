import { dirname } from 'node:path';
import type { TimeOfDay } from '../domain/notices/local-time.ts';
import type { NoticeRules } from '../domain/notices/rules.ts';
import { MAX_YAML_BYTES, readRegularFile } from '../platform/regular-file.ts';
import { checkAgainst, problemAt } from '../platform/schema-problems.ts';
import { resolveSecret, type Secret, SecretError } from '../platform/secret.ts';
import { parseYamlFile, type YamlFile } from '../platform/yaml-file.ts';
import { type ChannelSettings, NOTICES_FILE, type NoticesFile } from './notices-file.ts';
import { postAddress } from './post.ts';
import { isSigningSecret } from './webhook.ts';

/** Thrown for a notices file that cannot be used. The error's message lists each problem with its line, but quotes no value of the file. */
export class NoticesFileError extends Error {
  override readonly name = 'NoticesFileError';
}

/** A channel for messages to operators, with its secrets: an address, a signing secret or a password. */
export type Channel = {
  readonly name: string;
  readonly settings: ChannelSettings;
  readonly secrets: Readonly<Record<string, Secret>>;
};

/** The checked contents of the notices file, with the secrets of its channels. */
export type NoticesSetup = {
  readonly channels: readonly Channel[];
  readonly rules: NoticeRules;
  readonly digests: readonly { readonly channel: string; readonly time: TimeOfDay }[];
  /** The console's address without a trailing slash; null if the file names none. */
  readonly console: string | null;
  readonly giveUpMs: number;
};

/** Reads the notices file and the secrets that it names; null if `file` is null. Throws `NoticesFileError`. */
export function readNoticesFile(file: string | null): NoticesSetup | null {
  if (file === null) return null;
  let text: string;
  try {
    ({ text } = readRegularFile(file, MAX_YAML_BYTES));
  } catch {
    throw new NoticesFileError(`The file ${file} cannot be read: correct LOCKSTEP_NOTICES.`);
  }
  const parsed = parseYamlFile(file, text);
  const read = 'problems' in parsed ? parsed : checkAgainst(NOTICES_FILE, parsed.yaml);
  if ('problems' in read || 'problems' in parsed) throw unusable('problems' in read ? read.problems : [], file);
  const problems: ReturnType<typeof problemAt>[] = [];
  const channels = Object.entries(read.value.channels).map(([name, settings]) => ({
    ...{ name, settings },
    secrets: secretsOf(name, settings, parsed.yaml, problems),
  }));
  if (problems.length > 0) throw unusable(problems, file);
  return setupOf(read.value, channels);
}

/**
 * The settings of a channel that may be secrets. They are secrets if the value is `file:…`, which names the file that contains the secret.
 */
const SECRETS = ['address', 'secret', 'password'] as const;

/**
 * For each kind of secret, a function that checks a secret. It returns an error message, which does not quote the secret, or null if the
 * secret is usable. A password has no such function, because every text may be a password.
 */
const USABLE: Readonly<Record<string, (text: string) => string | null>> = {
  secret: (text) => (isSigningSecret(text) ? null : 'must be a file with whsec_ and at least 24 bytes in base64'),
  address: (text) => (postAddress(text) === null ? 'must be a file with one address that begins with https://' : null),
};

function secretsOf(
  name: string,
  settings: ChannelSettings,
  yaml: YamlFile,
  problems: ReturnType<typeof problemAt>[],
): Readonly<Record<string, Secret>> {
  const found: Record<string, Secret> = {};
  for (const property of SECRETS) {
    const reference = (settings as Readonly<Record<string, unknown>>)[property];
    if (typeof reference !== 'string' || !reference.startsWith('file:')) continue;
    try {
      const secret = resolveSecret(reference, { env: {}, baseDir: dirname(yaml.file) });
      const problem = USABLE[property]?.(secret.reveal()) ?? null;
      if (problem === null) found[property] = secret;
      else problems.push(problemAt(yaml, ['channels', name, property], problem));
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      problems.push(problemAt(yaml, ['channels', name, property], error.message));
    }
  }
  return found;
}

function unusable(problems: readonly { readonly line: number; readonly message: string }[], file: string): Error {
  const lines = problems.map(({ line, message }) => `${file}:${line}: ${message}`);
  return new NoticesFileError(`The notices file cannot be used:\n${lines.join('\n')}`);
}

function setupOf(file: NoticesFile, channels: readonly Channel[]): NoticesSetup {
  return {
    channels,
    rules: {
      channels: channels.map(({ name, settings: { quiet } }) => ({
        name,
        quiet: quiet === undefined ? null : { ...quiet, isUrgentNow: quiet.urgent === 'now' },
      })),
      rules: file.rules.map(({ causes = null, severities = null, tenants = null, to = null, as, settle = null }) => ({
        ...{ causes, severities, tenants, to, as, settleMs: settle },
      })),
      settleMs: file.settle,
    },
    digests: channels.flatMap(({ name, settings: { digest } }) =>
      digest === undefined ? [] : [{ channel: name, time: { minute: digest.at, zone: digest.zone } }],
    ),
    console: file.console === undefined ? null : file.console.replace(/\/+$/, ''),
    giveUpMs: file.giveUpAfter,
  };
}
