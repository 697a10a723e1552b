/** The syntax tree of a formula. `at`: where a part begins in the text. */
export type Node =
  | { readonly kind: 'number'; readonly text: string; readonly at: number }
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'field'; readonly name: string; readonly at: number }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Node[]; readonly at: number }
  | {
      readonly kind: 'unary';
      readonly operator: '-' | '+' | '!';
      readonly operand: Node;
      readonly at: number;
    }
  | {
      readonly kind: 'binary';
      readonly operator: Operator;
      readonly left: Node;
      readonly right: Node;
      readonly at: number;
    };

export type Operator = '+' | '-' | '*' | '/' | '^' | '&' | '=' | '<>' | '<' | '<=' | '>' | '>=' | '&&' | '||';
