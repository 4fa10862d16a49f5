/** A figure of a part that was drawn: its files are `FILE.svg` and `FILE.csv`, beside the table of findings. */
export interface StudyFigure {
  part: string;
  title: string;
  file: string;
}
