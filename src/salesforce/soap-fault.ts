/** The code and message of a SOAP fault (error answer), in the form of a REST error; null if the text is no fault. */
export function faultOf(text: string): { readonly errorCode: string; readonly message: string } | null {
  const code = /<faultcode>(?:[A-Za-z]+:)?([A-Z_]+)<\/faultcode>/.exec(text)?.[1];
  const message = /<faultstring>([^<]*)<\/faultstring>/.exec(text)?.[1] ?? '';
  return code === undefined ? null : { errorCode: code, message };
}
