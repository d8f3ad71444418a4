# What the peers of rivals.ts and anytime.ts learn from: two files of one table, label last, and columns made ready as people do.
import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from xgboost import XGBClassifier


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

    def make(self, kind, threads, **settings):
        if kind == "HistGradientBoosting":
            model = HistGradientBoostingClassifier(random_state=1, categorical_features=self.categories(), **settings)
            return make_pipeline(self.ordinal(), model)
        peer = XGBClassifier if kind == "XGBoost" else RandomForestClassifier
        return make_pipeline(self.dense(), peer(n_jobs=threads, random_state=1, **settings))

    def search(self, kinds, points, threads):
        """The best of some random settings, the kinds in turns, on an inner holdout of a fifth, fitted again on all rows."""
        random = np.random.default_rng(1)
        train, y = self.train[self.features], self.y
        strata = y if np.bincount(y).min() >= 2 else None
        inner, held = train_test_split(np.arange(len(y)), test_size=0.2, random_state=1, stratify=strata)
        best = (-1.0, None, None)
        for trial in range(points):
            kind = kinds[trial % len(kinds)]
            settings = draw(kind, random)
            try:
                model = self.make(kind, threads, **settings).fit(train.iloc[inner], y[inner])
            except ValueError:
                continue  # a class that the inner rows lack
            score = (model.predict(train.iloc[held]) == y[held]).mean()
            if score > best[0]:
                best = (score, kind, settings)
        return self.make(best[1], threads, **best[2]).fit(train, y)


def draw(kind, random):
    rate = 10 ** random.uniform(-2, -0.3)
    if kind == "RandomForest":
        return dict(
            n_estimators=int(random.choice([100, 200, 300])), max_features=random.uniform(0.1, 1),
            min_samples_leaf=int(random.integers(1, 11)), max_depth=random.choice([None, 8, 16]),
        )
    if kind == "XGBoost":
        return dict(
            n_estimators=int(random.choice([100, 200, 400])), learning_rate=rate, max_depth=int(random.integers(2, 9)),
            min_child_weight=10 ** random.uniform(-0.5, 1.5), subsample=random.uniform(0.5, 1),
            colsample_bytree=random.uniform(0.4, 1), reg_lambda=10 ** random.uniform(-1, 1.5),
        )
    return dict(
        max_iter=int(random.choice([100, 200, 400])), learning_rate=rate, max_leaf_nodes=int(random.integers(4, 64)),
        min_samples_leaf=int(random.integers(2, 50)), l2_regularization=10 ** random.uniform(-2, 1.5),
    )
