/** Whether a host name is a loopback address, which never leaves this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Whether a host name may be used for a server on a loopback address. This includes names that end in `.localhost`. */
export function isLoopbackName(hostname: string): boolean {
  return isLoopback(hostname) || /^(?:[a-z0-9-]+\.)+localhost$/.test(hostname);
}

/**
 * The web address without its trailing slash, or what is wrong with it. It must be https, or http to a loopback address, and must have no
 * credentials, query or fragment.
 */
export function checkBaseUrl(text: string): { readonly url: string } | { readonly problem: string } {
  if (!URL.canParse(text)) return { problem: 'must be an address such as https://api.example.com' };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    return { problem: 'must not hold a user name or password: secrets are written as env:NAME or file:PATH' };
  }
  if (url.search !== '' || url.hash !== '') return { problem: 'must end with its path: no ? and no #' };
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return { problem: 'must start with https:// (plain http is accepted for loopback addresses only)' };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'must start with https://' };
  return { url: url.href.replace(/\/+$/, '') };
}
