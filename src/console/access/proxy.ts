import { BlockList, isIPv4 } from 'node:net';
import type { ProxySignIn } from '../web/sign-in-routes.ts';
import { type ConsoleFile, identityOf } from './console-file.ts';

/**
 * Creates the sign-in behind a proxy, which states the person's name and groups in headers. The headers count only on connections from the
 * proxy's addresses. Null if no proxy is configured.
 */
export function proxySignIn({ people, proxy }: Pick<ConsoleFile, 'people' | 'proxy'>): ProxySignIn | null {
  if (proxy === undefined) return null;
  const { userHeader, groupsHeader, from } = proxy;
  const trusted = new BlockList();
  for (const text of from) {
    const [address = '', bits] = text.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  return (peer, header) => {
    // A server that listens on IPv6 shows an IPv4 peer in IPv6 form.
    const address = peer.replace(/^::ffff:(?=[\d.]+$)/, '');
    if (!trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')) return null;
    const user = header(userHeader)?.trim() ?? '';
    if (user === '' || user.length > 200) return null;
    const groups = groupsHeader === undefined ? [] : (header(groupsHeader) ?? '').split(',').map((one) => one.trim());
    return identityOf(people, 'proxy', { user, groups });
  };
}
