import { z } from 'zod';
import type { Info } from './result.ts';

/**
 * Schema of the `info` object of an answer (sales spec 2.9, order spec 2.1). The schema requires no field, because the sales document marks
 * none as required and spells the timestamp in two ways.
 */
const wireInfo = z.looseObject({
  success: z.boolean().nullish(),
  statusCode: z.number().nullish(),
  timeStamp: z.string().nullish(),
  timestamp: z.string().nullish(),
  traceId: z.string().nullish(),
  estimatedSearchCount: z.number().nullish(),
});

/** Schema of the envelope (an object with `info`) around every JSON answer, except the answer with a generated API key. */
export const envelope = z.looseObject({ info: wireInfo.nullish() });

/**
 * Normalises the `info` object of an answer. Answers to creates and 503 answers spell the name of the timestamp differently (`timeStamp`);
 * here it is always `timestamp`.
 */
export function normalizeInfo(wire: z.output<typeof wireInfo> | null | undefined): Info {
  const { timeStamp, timestamp, success, statusCode, traceId, estimatedSearchCount, ...extra } = wire ?? {};
  return {
    success: success ?? null,
    statusCode: statusCode ?? null,
    timestamp: (timeStamp || timestamp) ?? null,
    traceId: traceId ?? null,
    estimatedSearchCount: estimatedSearchCount ?? null,
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}
