/** Where a tenant file may hold `env:NAME` or `file:PATH`: paths of keys, with dots. */
const REFERENCES =
  /^(vendor\.apiKey|salesforce\.auth\.(clientId|username|privateKey|clientSecret)|webhooks\.(path|keys)(\.\d+)?)$/;

export function isReferencePlace(place: string): boolean {
  return REFERENCES.test(place);
}
