import { BlockList, isIP } from 'node:net';

/** Networks that no remote system of a tenant's is in, unless the fleet says so: this machine, its neighbours, and none at all. */
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
  ] as const),
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ...([
    ['::', 127],
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['fc00::', 7],
    ['fe80::', 10],
    ['fec0::', 10],
  ] as const),
  ...([
    ['ff00::', 8],
    ['2002::', 16],
    ['2001::', 32],
  ] as const),
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv6');

/** Whether an IP address leads to this machine or its neighbours. What is no IP address is not known to be one that does not. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIP(plain);
  return family === 0 || PRIVATE.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether an address of a tenant file names such a place itself; a name is judged by what it is resolved to. */
export function namesPrivate(url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? '';
  const host = hostname.replace(/^\[|\]$/g, '');
  if (/(^|\.)(localhost|local|internal)\.?$/.test(host)) return true;
  return isIP(host) !== 0 && isPrivateAddress(host);
}
