# RandomForestClassifier(300) of scikit-learn on the same files: numbers with the median for missing, categories one-hot.
import json
import sys
import time

import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

start = time.perf_counter()
train, test = (pd.read_csv(path) for path in sys.argv[1:3])
label = train.columns[-1]
features = train.columns[:-1]
numbers = [c for c in features if pd.api.types.is_numeric_dtype(train[c])]
texts = [c for c in features if c not in numbers]
for table in (train, test):
    table[texts] = table[texts].astype(str)
model = make_pipeline(
    ColumnTransformer(
        [
            ("numbers", SimpleImputer(strategy="median"), numbers),
            ("texts", OneHotEncoder(handle_unknown="ignore", min_frequency=4), texts),
        ]
    ),
    RandomForestClassifier(300, n_jobs=2, random_state=1),
)
model.fit(train[features], train[label].astype(str))
accuracy = (model.predict(test[features]) == test[label].astype(str)).mean()
print(json.dumps({"accuracy": accuracy, "seconds": time.perf_counter() - start}))
