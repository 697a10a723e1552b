import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '../../platform/private-file.ts';

/** A user of the Salesforce simulator, with the credentials for signing in. */
type SimulatorUser = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accessToken: string;
  readonly username: string;
  /** Private key in PEM with which the JWT bearer flow signs assertions. */
  readonly privateKey: string;
};

/**
 * Addresses and credentials of a running `lockstep up` (which starts everything on one machine). They contain secrets: only for a file of
 * mode 0600, never for a log.
 */
export type Endpoints = {
  readonly temporal: { readonly address: string; readonly ui: string };
  /** The vendor simulator; null if the tenant file names a real vendor. */
  readonly vendor: { readonly baseUrl: string; readonly apiKey: string; readonly admin: string } | null;
  /** The Salesforce simulator; null if the tenant file names a real org. */
  readonly salesforce: {
    readonly loginUrl: string;
    readonly admin: string;
    readonly organizationId: string;
    readonly user: SimulatorUser;
    readonly integration: SimulatorUser;
    /** The address, `host:port`, from which change events are read; null if the tenant receives no change events. */
    readonly pubSubEndpoint: string | null;
  } | null;
  /**
   * The webhook receiver: `baseUrl` takes webhooks, `ops` serves `/healthz`, `/readyz` and `/metrics`. The worker's own `baseUrl` (see
   * `worker`) serves the same three paths for the worker.
   */
  readonly webhooks: { readonly baseUrl: string; readonly ops: string };
  readonly worker: { readonly baseUrl: string };
  readonly console: { readonly baseUrl: string };
  readonly postgres: { readonly url: string };
  /** The tenant files that the worker and the webhook receiver were started with. */
  readonly tenants: readonly string[];
};

function endpointsFile(home: string): string {
  return join(home, 'endpoints.json');
}

/**
 * Reads the file in which `lockstep up` (which starts everything on one machine) stores its addresses and credentials in this home
 * directory. Null if the file cannot be read. `lockstep up` deletes the file when it stops.
 */
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

/** Deletes the file with the addresses when `lockstep up` stops, because no process listens at these addresses then. */
export function removeEndpoints(home: string): void {
  rmSync(endpointsFile(home), { force: true });
}
