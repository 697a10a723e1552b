import { InvalidArgumentError } from 'commander';
import type { TriggerCost } from 'lockstep-simulators';
import type { CliContext } from '../../src/cli/context.ts';
import { isSecretReference, resolveSecret } from '../../src/platform/secret.ts';

/** A running simulator; `info` is its ready report. */
export type Simulator = { readonly url: string; readonly info: object; close(): Promise<void> };

/** Parses a flag's port. */
export function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It must be a port from 0 to 65535.');
}

const MAX_ORDERS = 1_000_000;

/** Parses a flag's number of orders. */
export function parseOrders(text: string): number {
  if (/^\d{1,7}$/.test(text) && Number(text) <= MAX_ORDERS) return Number(text);
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_ORDERS}.`);
}

const MAX_PRODUCTS = 100_000;

/** Parses a flag's number of products. */
export function parseProducts(text: string): number {
  if (/^\d{1,6}$/.test(text) && Number(text) <= MAX_PRODUCTS) return Number(text);
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_PRODUCTS}.`);
}

/** Parses a flag's seconds between two events. */
export function parsePace(text: string): number {
  if (/^\d{1,6}(\.\d{1,3})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('It must be a number of seconds above 0, such as 2 or 0.5.');
}

/** Parses a flag's comma-separated currency codes, each optionally with `=RATE`. */
export function parseCurrencies(text: string): readonly string[] {
  const codes = text.split(',').map((code) => code.trim());
  if (codes.every((code) => /^[A-Z]{3}(=\d+(\.\d+)?)?$/.test(code))) return codes;
  throw new InvalidArgumentError('It must be codes of three capital letters, as EUR,USD or EUR,USD=1.08.');
}

/** Parses a flag's comma-separated countries and states. */
export function parseCountries(text: string): readonly string[] {
  const places = text.split(',').map((place) => place.trim());
  if (places.every((place) => /^[A-Z]{2}(=.+|-[A-Z0-9]{1,3}=.+)?$/.test(place))) return places;
  throw new InvalidArgumentError('It must be countries and their states, as FR,US,US-CA=California.');
}

/** Parses a flag's range of API versions. */
export function parseVersions(text: string): { readonly oldest: number; readonly newest: number } {
  const [, oldest, newest] = /^(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (oldest !== undefined && newest !== undefined && oldest <= newest)
    return { oldest: Number(oldest), newest: Number(newest) };
  throw new InvalidArgumentError('It must be two versions, as 31-66.');
}

/** Parses a flag's comma-separated names. */
export function parseNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => /^\w+$/.test(name))) return names;
  throw new InvalidArgumentError('It must be names with commas between them, as Opportunity,Account.');
}

/** Parses a flag's number of requests. */
export function parseRequests(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 0 to 9999.');
}

/** Parses a flag's comma-separated costs of Apex triggers for each saved row. */
export function parseTriggers(text: string): readonly TriggerCost[] {
  return text.split(',').map((cost) => {
    const [, object = '', count, unit] = /^\s*(\w+)=(\d{1,5})(queries|ms)\s*$/.exec(cost) ?? [];
    if (count === undefined)
      throw new InvalidArgumentError('It must be costs a row, as Opportunity=3queries,Account=250ms.');
    return { object, [unit === 'ms' ? 'cpuMsPerRow' : 'queriesPerRow']: Number(count) };
  });
}

/** A flag's value; `env:NAME` and `file:PATH` are resolved. */
export function secretValue(
  { env, cwd }: Pick<CliContext, 'env' | 'cwd'>,
  given: string | undefined,
): string | undefined {
  if (given === undefined || !isSecretReference(given)) return given;
  return resolveSecret(given, { env, baseDir: cwd, open: true }).reveal();
}
