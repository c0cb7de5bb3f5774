import { REASONS, type ReasonCode } from './reasons.js';

/** A parameter of a reason. A list is shown as its items, a reason as its message. */
type Value = string | number | readonly (string | number)[] | Reason;

/** A reason in a body (docs/api-contract.md#reasons). */
export interface PresentedReason {
  message: string;
  code: ReasonCode;
  parameters: Record<string, unknown>;
}

type NamesIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string}"${string}` ? never : Name) | NamesIn<Rest>
  : never;

/** The parameters that the message of a reason names. */
type ParametersOf<Code extends ReasonCode> = Record<NamesIn<(typeof REASONS)[Code]>, Value>;

/**
 * The place of the reason within a field, from the outside to the inside. Each given part begins the message. Their
 * names are never parameters of a message.
 */
const PLACES = {
  operation: 'operation {operation}',
  op: ' ({op})',
  filter: '{filter}',
  index: '[{index}] ',
  member: '{member} ',
  language: "in '{language}': ",
  text: '{text} ',
} as const;

export type Place = Partial<Record<keyof typeof PLACES, string | number>>;

/** Why the server refuses something: a code of `REASONS`, with the parameters of its message. */
export class Reason {
  constructor(
    readonly code: ReasonCode,
    private readonly values: Record<string, Value> = {},
    private readonly place: Place = {},
  ) {}

  /** Parameters of the message, and the place within the field. */
  get parameters(): Record<string, unknown> {
    const values = Object.entries(this.values).map(([name, value]) => [
      name,
      value instanceof Reason ? value.presented : value,
    ]);
    return { ...this.place, ...(Object.fromEntries(values) as Record<string, unknown>) };
  }

  get presented(): PresentedReason {
    const { message, code, parameters } = this;
    return { message, code, parameters };
  }

  /** The English sentence. */
  get message(): string {
    return `${beginningOf(this.place)}${fill(REASONS[this.code], this.values)}`;
  }

  /** The same reason with an outer place. */
  at(place: Place): Reason {
    return new Reason(this.code, this.values, { ...this.place, ...place });
  }
}

/** A reason for a refusal; the parameters are those that its message names. */
export const reason = <Code extends ReasonCode>(
  code: Code,
  ...[values]: keyof ParametersOf<Code> extends never ? [] : [ParametersOf<Code>]
): Reason => new Reason(code, values);

function beginningOf(place: Place): string {
  if (Object.keys(place).length === 0) return '';
  const parts = Object.entries(PLACES).map(([name, template]) => {
    const value = place[name as keyof Place];
    return value === undefined ? '' : fill(template, { [name]: value });
  });
  const [operation, op, filter, ...within] = parts;
  const outside = `${operation}${op}${filter}`;
  return `${outside === '' ? '' : `${outside}: `}${within.join('')}`;
}

const fill = (template: string, values: Record<string, Value>): string =>
  template.replace(/\{(\w+)\}/g, (brace, name: string) =>
    name in values ? shown(name, values[name]!) : brace,
  );

/** `choices` are alternatives, `names` are quoted, `nouns` follow an article. */
function shown(name: string, value: Value): string {
  if (value instanceof Reason) return value.message;
  if (typeof value !== 'object') return String(value);
  if (name === 'nouns') return value.join(' and ');
  if (name === 'names') return value.map((one) => `'${one}'`).join(', ');
  if (name !== 'choices') return value.join(', ');
  const choices = value.map((one) => (typeof one === 'number' ? String(one) : `'${one}'`));
  return choices.join(', ').replace(/, (?=[^,]*$)/, ' or ');
}

/** The reason of a body with this code and these parameters. */
export function reasonIn(code: ReasonCode, parameters: Record<string, unknown>): Reason {
  const isPlace = ([name]: [string, unknown]): boolean => name in PLACES;
  const given = Object.entries(parameters).map(([name, value]): [string, unknown] => [
    name,
    isPresented(value) ? reasonIn(value.code, value.parameters) : value,
  ]);
  const place = Object.fromEntries(given.filter(isPlace)) as Place;
  const values = Object.fromEntries(given.filter((one) => !isPlace(one))) as Record<string, Value>;
  return new Reason(code, values, place);
}

const isPresented = (value: unknown): value is PresentedReason =>
  typeof value === 'object' && value !== null && 'message' in value;
