import { AsyncLocalStorage } from 'node:async_hooks';

const origins = new AsyncLocalStorage<string>();

/** Runs work with an origin that the change events of its saves will name. */
export function withOrigin<T>(origin: string, work: () => T): T {
  return origins.run(origin, work);
}

/** The origin of the running work; empty outside an API call. */
export function presentOrigin(): string {
  return origins.getStore() ?? '';
}

const APIS: readonly (readonly [pattern: RegExp, api: string])[] = [
  [/^\/services\/data\/v(\d+\.0)\/jobs\//, 'bulkapi'],
  [/^\/services\/async\/(\d+\.0)\//, 'bulkapi'],
  [/^\/services\/data\/v(\d+\.0)\//, 'rest'],
  [/^\/services\/Soap\/[uc]\/(\d+\.0)/, 'soap'],
];

/**
 * The origin of a call in change events: `com/salesforce/api/rest/67.0;client=X`, with the client from its `Sforce-Call-Options`
 * (ChangeEventHeader Fields: changeOrigin). Empty if the path belongs to no API.
 */
export function originOf(path: string, callOptions: string | undefined): string {
  for (const [pattern, api] of APIS) {
    const version = pattern.exec(path)?.[1];
    if (version === undefined) continue;
    const client = /(?:^|,)\s*client\s*=\s*([^,]+)/i.exec(callOptions ?? '')?.[1]?.trim();
    return `com/salesforce/api/${api}/${version}${client === undefined ? '' : `;client=${client}`}`;
  }
  return '';
}
