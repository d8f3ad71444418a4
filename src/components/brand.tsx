// The product's name with its logo.

export function Brand() {
  return (
    <span class="brand">
      <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <path class="cup" d="M3 9h18l-3 11H6Z" />
        <ellipse class="bead" cx="12" cy="9" rx="5.5" ry="2.6" />
      </svg>
      Cupel
    </span>
  );
}
