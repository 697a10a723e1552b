import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** A table; cells are texts or pieces of a page. */
export function table(heads: readonly string[], rows: readonly (readonly (Html | string | number)[])[]): Html {
  return html`<div class="scroll" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

/** Commands for a terminal, one on each line. */
export function commands(...lines: readonly string[]): Html {
  return html`<pre tabindex="0"><code>${lines.join('\n')}</code></pre>`;
}

/** An admin call as a curl command. */
export function adminCommand(origin: string, method: string, path: string, body?: object): string {
  const data = body === undefined ? '' : ` -d '${JSON.stringify(body)}'`;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  return `curl${verb} ${origin}/__admin${path}${data}`;
}

type Call = { readonly method: string; readonly path: string; readonly body?: object };

/** A button that makes an admin call; shown only if scripts run. */
export function button(text: string, { method, path, body }: Call): Html {
  const data = body === undefined ? '' : html` data-body="${JSON.stringify(body)}"`;
  return html`<button type="button" class="with-script" data-method="${method}" data-path="${path}"${data}>${text}</button>`;
}

type Field = {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'number';
  readonly value?: string;
};

/** A form that sends its fields as an admin call; shown only if scripts run. */
export function form(text: string, { method, path }: Call, fields: readonly Field[]): Html {
  return html`<form class="with-script" data-method="${method}" data-path="${path}">${fields.map(
    ({ name, label, type, value = '' }) =>
      html`<label>${label}<input name="${name}" type="${type}" value="${value}" required></label>`,
  )}<button class="main">${text}</button></form>`;
}
