# What people write in a few lines for tables with texts, on two files: TRAIN TEST, label last. Prints JSON.
import json
import sys
import time
import warnings

import pandas as pd
from scipy.sparse import hstack
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.preprocessing import OneHotEncoder

warnings.filterwarnings("ignore")
train, test = (pd.read_csv(path, keep_default_na=False, dtype=str) for path in sys.argv[1:3])
label = train.columns[-1]
features = list(train.columns[:-1])
texts = [name for name in features if train[name].str.split().str.len().mean() >= 2]
others = [name for name in features if name not in texts]


def tfidf():
    return TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)


def counts():
    return CountVectorizer(ngram_range=(1, 2), min_df=2)


def pieces():
    return TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), min_df=2, sublinear_tf=True)


def matrices(vectorizers):
    learn, judge = [], []
    for make in vectorizers:
        for name in texts:
            vectorizer = make()
            learn.append(vectorizer.fit_transform(train[name]))
            judge.append(vectorizer.transform(test[name]))
    if others:
        one_hot = OneHotEncoder(handle_unknown="ignore")
        learn.append(one_hot.fit_transform(train[others]))
        judge.append(one_hot.transform(test[others]))
    return hstack(learn).tocsr(), hstack(judge).tocsr()


PEERS = {
    "TF-IDF + LogisticRegression": ([tfidf], lambda: LogisticRegression(C=10, max_iter=1000)),
    "TF-IDF + ComplementNB": ([tfidf], ComplementNB),
    "counts + MultinomialNB": ([counts], MultinomialNB),
    "TF-IDF with char_wb + LogisticRegression": ([tfidf, pieces], lambda: LogisticRegression(C=10, max_iter=1000)),
}
answers = {}
for peer, (vectorizers, make) in PEERS.items():
    begun = time.perf_counter()
    learn, judge = matrices(vectorizers)
    decided = make().fit(learn, train[label]).predict(judge)
    accuracy = float((decided == test[label].to_numpy()).mean())
    answers[peer] = {"accuracy": accuracy, "seconds": time.perf_counter() - begun}
print(json.dumps(answers))
