import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/**
 * Makes a function that resolves host names for connections. It fails with the code PRIVATE_ADDRESS if a name leads to an address that is
 * not allowed, so that a DNS entry cannot lead a connection into a private network.
 */
export function lookupAllowed(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error !== null || first === undefined) callback(error, []);
      else if (!found.every(({ address }) => isAllowed(address))) callback(notAllowed(), []);
      else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
}

/** The error of a connection that would go to an address that is not allowed. */
export function notAllowed(): Error {
  return Object.assign(new Error('the address is not allowed'), { code: 'PRIVATE_ADDRESS' });
}
