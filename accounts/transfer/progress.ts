/** Progress of a backup, a restore or a move. Types only. */

export interface TransferProgress {
  readonly table: string;
  readonly rowsDone: number;
  readonly rowsTotal: number;
}

export type OnProgress = (progress: TransferProgress) => void;
