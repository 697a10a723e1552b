import type { Endpoint } from './endpoint.ts';
import { LINK_ENDPOINTS } from './link-endpoints.ts';
import { MAPPING_ENDPOINTS } from './mapping-endpoints.ts';
import { NOTICE_ENDPOINTS } from './notice-endpoints.ts';
import { READ_ENDPOINTS } from './read-endpoints.ts';
import { RUN_ENDPOINTS } from './run-endpoints.ts';
import { TENANT_ENDPOINTS } from './tenant-endpoints.ts';
import { TOKEN_ENDPOINTS } from './token-endpoints.ts';
import { UNDO_ENDPOINTS } from './undo-endpoints.ts';
import { WRITE_ENDPOINTS } from './write-endpoints.ts';

/** All endpoints of the API. The OpenAPI document, the routes, the tests of rights and the pages' forms are made from this table. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...READ_ENDPOINTS,
  ...RUN_ENDPOINTS,
  ...LINK_ENDPOINTS,
  ...MAPPING_ENDPOINTS,
  ...TOKEN_ENDPOINTS,
  ...WRITE_ENDPOINTS,
  ...NOTICE_ENDPOINTS,
  ...UNDO_ENDPOINTS,
  ...TENANT_ENDPOINTS,
];

/**
 * The endpoint of a command. `path` says which one, if the command has several endpoints. Throws if there is none, which is a programming
 * error.
 */
export function endpointOf(verb: string, path?: string): Endpoint {
  const found = ENDPOINTS.find((one) => one.verb === verb && (path === undefined || one.path === path));
  if (found === undefined) throw new TypeError(`there is no endpoint ${verb}`);
  return found;
}
