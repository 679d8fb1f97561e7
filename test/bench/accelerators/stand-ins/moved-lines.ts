// Every line is drawn cell by cell.

export class MovedLines {
  changed(): void {}

  imageOf(): null {
    return null
  }
}
