# What the peers of rivals.ts and anytime.ts learn from: two files of one table, label last, and columns made ready as people do.
import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler


class Tables:
    def __init__(self, train_path, test_path):
        self.train, self.test = (pd.read_csv(path) for path in (train_path, test_path))
        label = self.train.columns[-1]
        self.features = self.train.columns[:-1]
        self.labels = sorted(self.train[label].astype(str).unique())
        code = {text: index for index, text in enumerate(self.labels)}
        self.y = self.train[label].astype(str).map(code).to_numpy()
        self.truth = self.test[label].astype(str).map(lambda text: code.get(text, -1)).to_numpy()
        known = [c for c in self.features if self.train[c].notna().any()]
        self.numbers = [c for c in known if pd.api.types.is_numeric_dtype(self.train[c])]
        self.texts = [c for c in known if c not in self.numbers]
        for table in (self.train, self.test):
            texts = table[self.texts]
            table[self.texts] = texts.astype(object).where(texts.notna(), "missing").astype(str)

    def dense(self, scaled=False):
        steps = [SimpleImputer(strategy="median")] + ([StandardScaler()] if scaled else [])
        one_hot = OneHotEncoder(handle_unknown="ignore", min_frequency=4, sparse_output=False)
        return ColumnTransformer([("n", make_pipeline(*steps), self.numbers), ("t", one_hot, self.texts)])

    def ordinal(self):
        encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan, encoded_missing_value=np.nan)
        return ColumnTransformer([("n", "passthrough", self.numbers), ("t", encoder, self.texts)])

    def categories(self):
        """Positions, behind `ordinal`, of texts that HistGradientBoosting takes for categories; None where there is none."""
        few = [len(self.numbers) + i for i, c in enumerate(self.texts) if self.train[c].nunique() <= 255]
        return few or None
