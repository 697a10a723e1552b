import type { MappingPublication, MappingVersion } from '../../platform/mapping-version.ts';

/** The published versions of tenants' mappings. A version is never changed. The version with the highest number applies. */
export interface MappingLedger {
  /**
   * For each tenant that published a mapping after the change number `change`, its newest version; 0 returns every tenant with a published
   * mapping. All publications are numbered together. A later commit never gets a smaller number, so no publication is missed. If a tenant's
   * newest version cannot be decrypted, it gets the content of the newest older version that can, or null if there is none. One statement,
   * and one more for each tenant whose older versions must be read.
   */
  mappingsSince(change: number): Promise<readonly MappingVersion[]>;
  /** The published versions of a tenant's mapping, newest first, at most `limit`. */
  mappingVersions(tenant: string, limit: number): Promise<readonly MappingVersion[]>;
  /**
   * Publishes a mapping as a new version and returns the version's number. `basedOn`: the newest version that the caller saw, 0 if there
   * was none. If another version is the newest now, changes nothing and returns null.
   */
  publishMapping(tenant: string, content: MappingPublication, basedOn: number, at: string): Promise<number | null>;
}
