import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '../../platform/private-file.ts';

/** A sign-in of the Salesforce simulator. */
type SimulatorUser = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accessToken: string;
  readonly username: string;
  /** PEM; signs the assertions of the JWT bearer flow. */
  readonly privateKey: string;
};

/** Where everything of a running `lockstep up` is. Holds secrets: only in a file of mode 0600, never in a log. */
export type Endpoints = {
  readonly temporal: { readonly address: string; readonly ui: string };
  /** Null where the tenant file names a real vendor. */
  readonly vendor: { readonly baseUrl: string; readonly apiKey: string; readonly admin: string } | null;
  /** Null where the tenant file names a real org. */
  readonly salesforce: {
    readonly loginUrl: string;
    readonly admin: string;
    readonly organizationId: string;
    readonly user: SimulatorUser;
    readonly integration: SimulatorUser;
  } | null;
  /** `ops`: `/healthz`, `/readyz` and `/metrics` of the receiver; the worker has nothing else. */
  readonly webhooks: { readonly baseUrl: string; readonly ops: string };
  readonly worker: { readonly baseUrl: string };
  readonly postgres: { readonly url: string };
  /** The tenant files that the worker and the webhook receiver were started with. */
  readonly tenants: readonly string[];
};

function endpointsFile(home: string): string {
  return join(home, 'endpoints.json');
}

/** The addresses of what runs in this home; null when nothing does. */
export function readEndpoints(home: string): Endpoints | null {
  try {
    return JSON.parse(readFileSync(endpointsFile(home), 'utf8')) as Endpoints;
  } catch {
    return null;
  }
}

export function writeEndpoints(home: string, endpoints: Endpoints): void {
  writePrivately(endpointsFile(home), `${JSON.stringify(endpoints, null, 2)}\n`);
}

/** After a stop: addresses that nobody answers at would only mislead. */
export function removeEndpoints(home: string): void {
  rmSync(endpointsFile(home), { force: true });
}
