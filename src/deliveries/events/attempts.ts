/** An attempt to deliver, as it is stored. */
export interface StoredAttempt {
  date: string;
  status: number | null;
  message: string | null;
}

/** An attempt in an answer, where the names of moments end in `Date`. */
export const presentAttempt = ({ date, ...attempt }: StoredAttempt) => ({
  attemptDate: date,
  ...attempt,
});

export type Attempt = ReturnType<typeof presentAttempt>;
