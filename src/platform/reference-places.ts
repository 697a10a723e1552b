/** Paths of the keys (written with dots) where a tenant file may contain `env:NAME` or `file:PATH`. */
const REFERENCES =
  /^(vendor\.apiKey|salesforce\.auth\.(clientId|username|privateKey|clientSecret)|webhooks\.(path|keys)(\.\d+)?)$/;

export function isReferencePlace(place: string): boolean {
  return REFERENCES.test(place);
}
