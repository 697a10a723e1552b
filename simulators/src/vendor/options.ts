/** Choices of the simulator's behaviour at points that the documents leave open. */
export type VendorBehaviour = {
  /**
   * How PATCH changes arrays, which the documents leave open. `replace`: the sent array replaces the old one. `merge`: offer lines pair by
   * offer and position among equals, contacts by e-mail, the legal entity by key. Paired entries are overwritten key by key, others are
   * appended, and nothing is removed. In both modes an empty array clears, and lists of codes (reasons, competitors) are replaced.
   */
  readonly patchArrays: 'replace' | 'merge';
  /** E-mail of the primary partner sales manager: the default owner of a new record (sales spec 2.1). */
  readonly ownerEmail: string;
  /** The code of the 'No Project' reason, which sales spec 2.1 names without its code. */
  readonly noProjectReason: string;
  /** The status code of a lost record, which sales spec 2.2 does not show. */
  readonly lostStatus: string;
};

/** A key that is valid from the start. */
export type InitialKey = {
  readonly apiKey: string;
  readonly partnerId: string;
  readonly scopes?: readonly Scope[];
};

/** The API domains that a key may use. */
export type Scope = 'sales' | 'order';

/** The API version that a strict sandbox requires of a client. */
export type StrictVersion = 'v0' | 'v1';

export type VendorSimulatorOptions = Partial<VendorBehaviour> & {
  /** Port on the loopback address; 0, the default, takes a free one. */
  readonly port?: number;
  /** The partner's key; default: a random key of 64 characters. */
  readonly apiKey?: string;
  /** Name of the header that carries the key. The documents name it only for the order domain: `X-API-Key`, the default. */
  readonly keyHeader?: string;
  readonly partnerId?: string;
  /** Further keys, of this partner or of other ones. */
  readonly keys?: readonly InitialKey[];
  /** `empty`: no data at all. Anything else (`demo`, a number) seeds the generated world. */
  readonly seed?: number | string;
  /** The number of orders in the generated world. */
  readonly orders?: number;
  /** The number of products in the generated catalog. */
  readonly products?: number;
  /** The fate of the old key when a new one is registered: `replace` ends it at once, `overlap` keeps both. */
  readonly rotation?: 'replace' | 'overlap';
  /**
   * Refuses requests that a real gateway may refuse. The admin surface lists these requests under `violations` in any case. `v1`, or true:
   * v0 paths that v1 replaces are refused too. `v0`: they are accepted, for a client that still uses them; all other rules apply.
   */
  readonly strict?: boolean | StrictVersion;
  /** Seconds on the simulator's clock between two events of the vendor's own life; absent: there are no events. */
  readonly paceSeconds?: number;
  /** The file that stores the state. If absent, the state is in memory only. */
  readonly state?: string;
  /** Epoch milliseconds under the simulator's clock; real time by default. */
  readonly readMs?: () => number;
  /** Called with a sentence for the person who runs the simulator, such as that a state file was moved aside. */
  readonly notify?: (sentence: string) => void;
};

export const DEFAULT_SEED = 'demo';
export const DEFAULT_ORDERS = 200;
/** The default header of the API key, documented for the order domain only (order spec 5). */
export const DEFAULT_KEY_HEADER = 'X-API-Key';
export const DEFAULT_PARTNER_ID = 'P000123';

const DEFAULT_BEHAVIOUR: VendorBehaviour = {
  patchArrays: 'replace',
  ownerEmail: 'partner.sales.manager@vendor.example',
  noProjectReason: 'NO_PROJECT',
  lostStatus: 'LOST',
};

/** The quota until the admin surface sets another. The documents show no figures (sales spec 8). */
export const DEFAULT_QUOTA = { limit: 1000, windowSeconds: 60 } as const;

/** The API version that a strict sandbox requires; null if the sandbox is not strict. */
export function strictVersion({ strict = false }: Pick<VendorSimulatorOptions, 'strict'>): StrictVersion | null {
  if (strict === false) return null;
  return strict === true ? 'v1' : strict;
}

/** The behaviour that the options ask for, defaults filled in. */
export function behaviourOf(options: VendorSimulatorOptions): VendorBehaviour {
  const { patchArrays, ownerEmail, noProjectReason, lostStatus } = options;
  return {
    patchArrays: patchArrays ?? DEFAULT_BEHAVIOUR.patchArrays,
    ownerEmail: ownerEmail ?? DEFAULT_BEHAVIOUR.ownerEmail,
    noProjectReason: noProjectReason ?? DEFAULT_BEHAVIOUR.noProjectReason,
    lostStatus: lostStatus ?? DEFAULT_BEHAVIOUR.lostStatus,
  };
}
