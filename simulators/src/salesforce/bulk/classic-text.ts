import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { ClassicFailure } from './classic-failure.ts';
import { type ClassicBatch, type ClassicContent, type ClassicJob, failedRows } from './classic-jobs.ts';

/** The fields of a `jobInfo`, `batchInfo` or `error`, in order. */
export type Info = Readonly<Record<string, string | number>>;

export type ClassicText = { readonly contentType: string; readonly content: string };

const NAMESPACE = 'http://www.force.com/2009/06/asyncapi/dataload';

/** The fields of a job as a client sent them, in XML or JSON. Throws ClassicFailure InvalidJob. */
export function readJobInfo(contentType: string, text: string): Readonly<Record<string, unknown>> {
  try {
    if (/\bjson\b/i.test(contentType)) return JSON.parse(text) as Record<string, unknown>;
    const { root } = parseXml(text.trim());
    const children = (root?.children ?? []).filter((child) => child instanceof XmlElement);
    return Object.fromEntries(children.map((child) => [child.name, child.text.trim()]));
  } catch {
    throw new ClassicFailure('InvalidJob', 'Unable to parse Job');
  }
}

export function jobInfo(job: ClassicJob): Info {
  const processed = job.batches.reduce((sum, batch) => sum + processedRows(batch), 0);
  const count = (state: ClassicBatch['state']) => job.batches.filter((batch) => batch.state === state).length;
  return {
    id: job.id,
    operation: job.operation,
    object: job.object,
    createdById: job.createdById,
    createdDate: job.createdDate,
    systemModstamp: job.createdDate,
    state: job.state,
    ...(job.externalIdFieldName !== null && { externalIdFieldName: job.externalIdFieldName }),
    concurrencyMode: 'Parallel',
    contentType: job.contentType,
    numberBatchesQueued: count('Queued'),
    numberBatchesInProgress: count('InProgress'),
    numberBatchesCompleted: count('Completed'),
    numberBatchesFailed: count('Failed'),
    numberBatchesTotal: job.batches.length,
    numberRecordsProcessed: processed,
    numberRetries: 0,
    apiVersion: `${job.apiVersion}.0`,
    numberRecordsFailed: job.batches.reduce((sum, batch) => sum + failedRows(batch), 0),
    totalProcessingTime: 0,
    apiActiveProcessingTime: 0,
    apexProcessingTime: 0,
  };
}

export function batchInfo(batch: ClassicBatch): Info {
  return {
    id: batch.id,
    jobId: batch.jobId,
    state: batch.state,
    ...(batch.stateMessage !== null && { stateMessage: batch.stateMessage }),
    createdDate: batch.createdDate,
    systemModstamp: batch.createdDate,
    numberRecordsProcessed: processedRows(batch),
    numberRecordsFailed: failedRows(batch),
    totalProcessingTime: 0,
    apiActiveProcessingTime: 0,
    apexProcessingTime: 0,
  };
}

function processedRows({ task, result }: ClassicBatch): number {
  return task?.results.length ?? result?.count ?? 0;
}

/** A `jobInfo`, `batchInfo` or `error` as text, in the job's content type. */
export function infoText(kind: ClassicContent, name: string, info: Info): ClassicText {
  return kind === 'JSON' ? jsonText(info) : xmlText(element(name, fieldsOf(info), true));
}

export function listText(kind: ClassicContent, name: string, infos: readonly Info[]): ClassicText {
  if (kind === 'JSON') return jsonText({ [name]: infos });
  const items = infos.map((info) => element(name, fieldsOf(info), false)).join('');
  return xmlText(element(`${name}List`, items, true));
}

export function resultListText(kind: ClassicContent, ids: readonly string[]): ClassicText {
  if (kind === 'JSON') return jsonText(ids);
  return xmlText(element('result-list', ids.map((id) => element('result', id, false)).join(''), true));
}

function jsonText(value: unknown): ClassicText {
  return { contentType: 'application/json', content: JSON.stringify(value) };
}

function xmlText(root: string): ClassicText {
  return { contentType: 'application/xml', content: `<?xml version="1.0" encoding="UTF-8"?>${root}` };
}

function fieldsOf(info: Info): string {
  return Object.entries(info)
    .map(([name, value]) => element(name, escapeXml(String(value)), false))
    .join('');
}

function element(name: string, content: string, isRoot: boolean): string {
  return `<${name}${isRoot ? ` xmlns="${NAMESPACE}"` : ''}>${content}</${name}>`;
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
