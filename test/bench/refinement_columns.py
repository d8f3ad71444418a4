# Reading for the selectors and the judge: label last, only empty cells missing, a column is of numbers if all of TRAIN reads as such.
import numpy as np
import pandas as pd


def read(path):
    return pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[""])


class Columns:
    """What TRAIN says of the columns, and other rows seen in its terms."""

    def __init__(self, train):
        self.features = list(train.columns[:-1])
        self.label = train.columns[-1]
        read_as = {c: pd.to_numeric(train[c], errors="coerce") for c in self.features}
        self.numbers = [c for c in self.features if (read_as[c].notna() == train[c].notna()).all()]
        self.texts = [c for c in self.features if c not in set(self.numbers)]
        self.medians = {c: np.nan_to_num(read_as[c].median()) for c in self.numbers}
        self.levels = {c: {v: i for i, v in enumerate(sorted(train[c].dropna().unique()))} for c in self.texts}

    def ordinal(self, table):
        """Numbers with TRAIN's median for missing, categories as their place in the alphabet, missing and unseen as -1."""
        columns = {}
        for c in self.features:
            if c in self.levels:
                columns[c] = table[c].map(self.levels[c]).fillna(-1.0).astype(float)
            else:
                columns[c] = pd.to_numeric(table[c], errors="coerce").fillna(self.medians[c]).astype(float)
        return pd.DataFrame(columns)
