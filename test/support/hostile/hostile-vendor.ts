import { createPartnerApi, type PartnerApi, type PartnerApiOptions } from '../../../src/partner-api/index.ts';
import { type HostileAnswer, type HostileRequest, type HostileServer, startHostileServer } from './hostile-server.ts';

export const VENDOR_KEY = 'the-vendor-key';

/** A body in the vendor's envelope (sales spec 2.9). */
export function vendorBody(data: unknown, info: object = {}): string {
  return JSON.stringify({ info: { success: true, statusCode: 200, ...info }, error: null, data });
}

export type HostileVendor = HostileServer & {
  /** A client of this vendor. */
  connect(options?: Partial<PartnerApiOptions>): PartnerApi;
};

/** A vendor that gives the configured answers to every caller. */
export async function startHostileVendor(
  answer: (request: HostileRequest, count: number) => HostileAnswer,
): Promise<HostileVendor> {
  const server = await startHostileServer(answer);
  const connect = (options: Partial<PartnerApiOptions> = {}): PartnerApi =>
    createPartnerApi({ salesBaseUrl: server.url, apiKey: () => VENDOR_KEY, timeoutMs: 5_000, ...options });
  return { ...server, connect };
}
