/**
 * Counts, by tenant, the records that this process's lanes (workflows for many records) are working on. While there are many, calls to
 * Salesforce wait for each other in order to share requests.
 */
export interface LanesUnderWay {
  add(tenant: string, count: number): void;
  of(tenant: string): number;
}

export function createLanesUnderWay(): LanesUnderWay {
  const counts = new Map<string, number>();
  return {
    add: (tenant, count) => {
      const now = (counts.get(tenant) ?? 0) + count;
      if (now === 0) counts.delete(tenant);
      else counts.set(tenant, now);
    },
    of: (tenant) => counts.get(tenant) ?? 0,
  };
}
