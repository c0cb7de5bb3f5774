/** An attempt to deliver, as it is stored. */
export interface StoredAttempt {
  date: string;
  status: number | null;
  message: string | null;
}

/** An attempt as answers show it: their moments end in `Date`. */
export const presentAttempt = ({ date, ...attempt }: StoredAttempt) => ({
  attemptDate: date,
  ...attempt,
});

export type Attempt = ReturnType<typeof presentAttempt>;
