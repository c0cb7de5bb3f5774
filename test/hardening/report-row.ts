/** One goal of the report with what was measured. */
export interface ReportRow {
  /** Its number among the goals, e.g. `B3`. */
  id: string;
  goal: string;
  /** What was measured, with its unit. */
  figure: string;
  met: boolean;
}

/** How large the runs are: 1 is the size of the goal, 0.1 a tenth of it. */
export interface Scale {
  scale: number;
}

/** A part of the report. It prints its rows as they come, since some take minutes. */
export type Section = (scale: Scale, report: (row: ReportRow) => void) => Promise<void>;

/** One line a goal, for people. */
export const printReportRow = ({ id, goal, figure, met }: ReportRow): void => {
  process.stdout.write(
    `${met ? 'met   ' : 'MISSED'} ${id.padEnd(4)} ${goal}\n            ${figure}\n`,
  );
};

/** Measures one goal; what goes wrong on the way is a missed goal, not the end of the report. */
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

/** A number of rounds at a scale, at least one. */
export const rounds = (full: number, scale: number): number =>
  Math.max(1, Math.round(full * scale));
