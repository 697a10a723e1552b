import { BlockList, isIP } from 'node:net';

/**
 * Networks in which no remote system of a tenant may be, unless the operator allows it: loopback, private, link-local and reserved
 * networks.
 */
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    // The address at which Azure's own services answer each of Azure's machines, for example with the machine's settings.
    ['168.63.129.16', 32],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ] as const),
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ...([
    // `::`, `::ffff:0:0:0` and the two networks that begin with `64:ff9b` contain IPv6 addresses that end with an IPv4 address, which may
    // be private. The other networks are private or reserved.
    ['::', 96],
    ['::ffff:0:0:0', 96],
    ['100::', 64],
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['fc00::', 7],
    ['fe80::', 10],
    ['fec0::', 10],
  ] as const),
  ...([
    ['ff00::', 8],
    ['2002::', 16],
    ['2001::', 23],
    ['2001:db8::', 32],
    ['3fff::', 20],
    ['5f00::', 16],
  ] as const),
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv6');

/** Whether an IP address belongs to this machine or a private network. True for a text that is no IP address. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIP(plain);
  return family === 0 || PRIVATE.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether a URL in a tenant file contains a private address. A host name is checked later, when it is resolved to an address. */
export function namesPrivate(url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? '';
  const host = hostname.replace(/^\[|\]$/g, '');
  if (/(^|\.)(localhost|local|internal|lan|home\.arpa)\.?$/.test(host)) return true;
  return isIP(host) !== 0 && isPrivateAddress(host);
}
