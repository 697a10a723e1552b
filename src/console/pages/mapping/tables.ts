import { html } from 'hono/html';
import { FORECASTS } from '../../../domain/values/forecast.ts';
import { STATUS_NAMES, STATUSES_WITHOUT_CODE } from '../../../domain/values/status.ts';
import type { Html } from '../parts.ts';
import { CODE_TABLES, type CodeTable, type DraftForm, pairsIn, rowsIn } from './draft-form.ts';
import { blanks, type DraftShown, pairTable } from './field-rows.ts';

/** The table of the opportunity's stages, in the org and in the draft, each with the vendor's status to which it is mapped. */
export function stageTable({ form, choices }: DraftShown): Html {
  const said = rowsIn(form, 'stages.', 'stage').flatMap((n) => {
    const stage = form.get(`stages.${n}.stage`) ?? '';
    const row = {
      stage,
      status: form.get(`stages.${n}.status`) ?? '',
      inbound: form.get(`stages.${n}.inbound`) === 'true',
    };
    return stage === '' ? [] : [row];
  });
  const inOrg = choices?.stages ?? [];
  const others = inOrg.filter((stage) => said.every((row) => row.stage !== stage));
  const rows = [
    ...said,
    ...others.map((stage) => ({ stage, status: '', inbound: false })),
    { stage: '', status: '', inbound: false },
  ];
  return html`<div class="scroll" role="region" aria-label="Stages" tabindex="0"><table class="pairs">
<caption class="for-readers">Stages</caption>
<thead><tr><th scope="col">Stage in Salesforce</th><th scope="col">Status at the vendor</th><th scope="col">The status moves deals here</th></tr></thead>
<tbody>${rows.map((row, n) => stageRow(row, n, choices !== null && row.stage !== '' && !inOrg.includes(row.stage)))}</tbody></table></div>`;
}

type StageShown = { readonly stage: string; readonly status: string; readonly inbound: boolean };

function stageRow({ stage, status, inbound }: StageShown, n: number, isMissing: boolean): Html {
  const of = stage === '' ? 'another stage' : stage;
  const options = [['', 'none'], ...STATUS_NAMES.map((name) => [name, name])];
  return html`<tr><td><input name="stages.${n}.stage" value="${stage}" aria-label="Stage, row ${n + 1}" autocomplete="off">${
    isMissing ? html`<span class="small">not in the org</span>` : ''
  }</td>
<td><select name="stages.${n}.status" aria-label="Status of ${of}">${options.map(
    ([value, text]) => html`<option value="${value}"${value === status ? ' selected' : ''}>${text}</option>`,
  )}</select></td>
<td><input type="checkbox" name="stages.${n}.inbound" value="true"${inbound ? ' checked' : ''} aria-label="The status moves deals to ${of}"></td></tr>`;
}

const TITLES: Readonly<Record<CodeTable, string>> = {
  status: 'Statuses',
  forecastCategory: 'Forecast categories',
  reasonWon: 'Reasons won',
  reasonLost: 'Reasons lost',
  revenueType: 'Revenue types',
};

const NAMES: Readonly<Record<CodeTable, readonly string[]>> = {
  status: STATUSES_WITHOUT_CODE,
  forecastCategory: Object.keys(FORECASTS).filter((name) => FORECASTS[name]?.documented === false),
  reasonWon: [],
  reasonLost: ['NO_PROJECT'],
  revenueType: [],
};

/** One table for each kind of code that the vendor's documents leave open: each row has Lockstep's name and the vendor's code for it. */
export function codeTables({ form, choices }: DraftShown): readonly Html[] {
  return CODE_TABLES.map((table) => {
    const at = `codes.${table}`;
    const said = pairsIn(form, at);
    const names = table === 'revenueType' ? (choices?.revenueTypes ?? []) : NAMES[table];
    const missing = names.filter((name) => said.every(([own]) => own !== name));
    const isOpen = table !== 'status' && table !== 'forecastCategory';
    const rows = [...said, ...missing.map((name) => [name, ''] as const), ...blanks(isOpen ? 1 : 0)];
    return html`<details class="map-more"><summary>${TITLES[table]} (${codesSaid(form, at)})</summary>${pairTable({
      ...{ at, rows, heads: ['Name', 'Code of the vendor'], of: TITLES[table] },
    })}</details>`;
  });
}

function codesSaid(form: DraftForm, at: string): string {
  const count = pairsIn(form, at).length;
  return count === 1 ? '1 code' : `${count} codes`;
}
