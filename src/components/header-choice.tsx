// Whether the first row of a file holds the names of its columns.

export function HeaderChoice({ hasHeader, onChange }: { hasHeader: boolean; onChange(hasHeader: boolean): void }) {
  return (
    <label class="choice">
      <input type="checkbox" checked={hasHeader} onChange={({ currentTarget: { checked } }) => onChange(checked)} />
      <span>The first row is the header</span>
    </label>
  );
}
