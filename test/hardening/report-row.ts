/** One goal of the report and its measurement. */
export interface ReportRow {
  /** The number of the goal, e.g. `B3`. */
  id: string;
  goal: string;
  /** The measurement with its unit. */
  figure: string;
  met: boolean;
}

/** The size of the runs: 1 is the size of the goal, 0.1 a tenth of it. */
export interface Scale {
  scale: number;
}

/** A part of the report. It reports each row immediately, because some take minutes. */
export type Section = (scale: Scale, report: (row: ReportRow) => void) => Promise<void>;

/** Prints one line per goal. */
export const printReportRow = ({ id, goal, figure, met }: ReportRow): void => {
  process.stdout.write(
    `${met ? 'met   ' : 'MISSED'} ${id.padEnd(4)} ${goal}\n            ${figure}\n`,
  );
};

/** Measures one goal; an exception makes the goal missed but does not end the report. */
export async function measure(
  { id, goal }: Pick<ReportRow, 'id' | 'goal'>,
  report: (row: ReportRow) => void,
  work: () => Promise<Pick<ReportRow, 'figure' | 'met'>>,
): Promise<void> {
  try {
    report({ id, goal, ...(await work()) });
  } catch (error) {
    report({ id, goal, figure: `failed: ${String(error)}`, met: false });
  }
}

/** The number of rounds at a scale, at least one. */
export const rounds = (full: number, scale: number): number =>
  Math.max(1, Math.round(full * scale));
